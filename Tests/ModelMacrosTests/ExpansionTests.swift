import Testing

@Suite struct ExpansionTests {}
