-- The bench of rules (docs/adr/0030-rules.md) goes through the entries of one page, by their ids.
create index entry_of_page on entry (page_id, id) where not deleted;
