module.exports = {
  onBrokenLinks: "ignore", title: "Northlane", url: "https://northlane.dev", baseUrl: "/",
  presets: [["classic", { docs: { routeBasePath: "/blog" }, blog: false }]],
}
