// SchemaFormats
