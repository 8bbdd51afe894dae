// SchemaLint
