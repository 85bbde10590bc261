"""What a call says: columns, facts, tables and texts, looked up and turned into arguments of macros."""
