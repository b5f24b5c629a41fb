var fromPart = 'imported';
