select 'fences have photos, none until now' as what, not exists (select from fence where photo_ids <> '{}') as ok;
