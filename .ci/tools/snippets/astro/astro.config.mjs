export default { site: "https://northlane.dev", telemetry: false }
