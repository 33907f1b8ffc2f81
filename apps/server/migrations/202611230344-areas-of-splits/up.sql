create index split_terms_area on split_terms (area_id, agent_id) where area_id is not null;
create index split_bill_area on split_bill (area_id, agent_id) where area_id is not null;
