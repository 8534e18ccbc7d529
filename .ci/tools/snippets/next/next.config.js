module.exports = { output: "export" }
