export default defineNuxtConfig({ telemetry: false, nitro: { prerender: { routes: ["/blog/render-queue"] } } })
