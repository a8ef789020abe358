-- What a version changed against the one it was made from, in a line each (core/design/difference/changeSummary.ts), as it was when it was published to test: from
-- then on its definition stays as it is. Null for drafts, and for versions that were published before this was kept.
alter table crf_version add column changes jsonb;
