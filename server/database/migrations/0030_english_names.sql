-- What a visit or a page is called in English. Null where a definition has one language, as all of before have.
alter table crf_folder add column name_en text;
alter table crf_page add column name_en text;
