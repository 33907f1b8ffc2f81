-- What a parking place looks like. Of the version: an earlier one goes on showing what it showed.
alter table fence add column photo_ids text[] not null default '{}' check (cardinality(photo_ids) <= 3);
alter table fence add constraint fence_photos_of_parking check (kind = 'parking' or photo_ids = '{}');
