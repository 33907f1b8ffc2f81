select 'no card is given back until now' as what, not exists (select from rider_card where state = 'refunded') as ok;
