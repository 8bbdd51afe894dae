/// The version of the tool, as `--version` and reports say it.
let toolVersion = "0.1.0"
