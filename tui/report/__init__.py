"""A run on one page: what is known of it as a document, and the forms that a document takes."""
