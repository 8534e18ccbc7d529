module.exports = {
  title: "Northlane", url: "https://northlane.dev", baseUrl: "/",
  presets: [["classic", { docs: { routeBasePath: "/blog" }, blog: false }]],
}
