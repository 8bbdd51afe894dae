/// The version that `recordd --version` prints.
let toolVersion = "0.1.0"
