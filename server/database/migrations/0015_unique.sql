-- Whether a value of a page is another patient's as well is looked for among the entries of that page.
CREATE INDEX entry_page ON entry (project_id, page_id, pass);
