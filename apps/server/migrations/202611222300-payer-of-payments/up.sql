-- Who paid, as the channel or the application says: a keyed hash, the account itself is stored nowhere.
alter table payment add column payer_hash text check (char_length(payer_hash) between 20 and 100);
create index payment_payer on payment (payer_hash, agent_id) where payer_hash is not null;
