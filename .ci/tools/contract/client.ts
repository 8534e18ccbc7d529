// A program as a user would write it, with the types that openapi-typescript makes of openapi.yaml by default: it registers, makes a
// project and a key, draws, lists and meets errors. run.sh compiles it under --strict and runs it against a service.
//
// Usage: node client.ts BASE
import assert from "node:assert/strict";
import createClient from "openapi-fetch";
import type { components, paths } from "./api.d.ts";

type Problem = components["schemas"]["Problem"];

const baseUrl = process.argv[2];
assert(baseUrl, "the address of the service is missing");

/** ok returns what a request brought, or throws its problem. */
function ok<T>(answer: { data?: T; error?: Problem; response: Response }): T {
  if (answer.error) {
    throw new Error(`${answer.response.status} ${answer.error.code}: ${answer.error.detail}`);
  }
  assert(answer.data !== undefined, `${answer.response.status} without a body`);
  return answer.data;
}

const anonymous = createClient<paths>({ baseUrl });
const email = `contract-${Date.now()}@example.com`;
const password = "correct horse battery staple";
const session = ok(await anonymous.POST("/auth/register", { body: { email, password } }));
assert.equal(ok(await anonymous.POST("/auth/login", { body: { email, password } })).user.id, session.user.id);

const user = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${session.accessToken}` } });
const made = await user.POST("/projects", { body: { name: "Contract" } });
const project = ok(made);
assert.equal(made.response.headers.get("Location"), `/projects/${project.id}`);
const key = ok(await user.POST("/keys", { body: { name: "Build", projectId: project.id } }));
// The response to a repeated request, which this is not, has a notice in place of the secret.
assert.ok("secret" in key);
const { secret } = key;

// No page is needed where the request brings the title.
// An image is also sent as a picture; this client takes JSON.
const build = createClient<paths, "application/json" | "application/problem+json">({ baseUrl, headers: { Authorization: `Bearer ${secret}` } });
const request = { url: "https://page.invalid/launch", projectId: project.id, content: { title: "Launch day" } };
const image = ok(await build.POST("/images/generate", { body: request }));
assert.equal(image.cached, false);
assert.equal(image.source.title, "Launch day");
const picture = new Uint8Array(await (await fetch(image.imageUrl)).arrayBuffer());
assert.deepEqual([...picture.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47], "imageUrl serves a PNG");

// What an answer says of its style fits into a request, nulls and all, and means the same image.
const again = ok(await build.POST("/images/generate", { body: { ...request, style: image.style } }));
assert.deepEqual([again.id, again.cached], [image.id, true]);

const hero: components["schemas"]["GenerateRequest"] = {
  ...request,
  kind: "blog_hero",
  style: { accent: "#0F766E", dark: false, font: "space-grotesk", aspectRatio: "16:10" },
  ai: { model: "standard", prompt: "a harbour at dawn" },
};
const drawn = ok(await build.POST("/images/generate", { body: hero }));
assert.deepEqual([drawn.width, drawn.height, drawn.ai?.fallbackReason], [1600, 1000, "off"]);

const page = ok(await build.GET("/images", { params: { query: { limit: 1 } } }));
assert.equal(page.items[0]?.id, drawn.id);
assert(page.nextCursor, "there is a second page");
const rest = ok(await build.GET("/images", { params: { query: { cursor: page.nextCursor } } }));
assert.deepEqual(rest.items.map((item) => item.id), [image.id]);
assert.equal(ok(await build.GET("/images/{imageId}", { params: { path: { imageId: image.id } } })).id, image.id);

// Errors are problems, whatever the status.
const refused = await user.POST("/projects", { body: { name: "" } });
assert.equal(refused.response.status, 400);
assert.equal(refused.error?.code, "BAD_REQUEST");
assert.equal(refused.error?.errors?.[0]?.pointer, "/name");
const exists = await build.POST("/images/generate", { params: { header: { "If-None-Match": "*" } }, body: request });
assert.equal(exists.error?.code, "CONFLICT");
assert.equal(exists.error?.existingId, image.id);

console.log(`${email} has ${picture.length} bytes of ${image.publicUrl}`);
