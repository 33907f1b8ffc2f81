-- Two to a hundred postings, none of them nothing, which sum to zero.
create function ledger_is_balanced(account_ids bigint[], amounts_cents bigint[]) returns boolean
language plpgsql immutable parallel safe
as $$
declare
  amount bigint;
  total bigint := 0;
begin
  if cardinality(account_ids) <> cardinality(amounts_cents) or cardinality(account_ids) not between 2 and 100 then
    return false;
  end if;
  foreach amount in array amounts_cents loop
    if amount is null or amount = 0 then
      return false;
    end if;
    total := total + amount;
  end loop;
  return total = 0;
end
$$;

-- Texts hold no '|', which separates what is hashed; the memo comes last there and may.
create function ledger_are_words(kind text, reference text, key text, memo text) returns boolean
language plpgsql immutable parallel safe
as $$
begin
  return strpos(kind, '|') + strpos(reference, '|') + strpos(key, '|') = 0 and octet_length(kind) between 1 and 40
    and octet_length(reference) between 1 and 80 and octet_length(key) between 1 and 80 and octet_length(memo) <= 400;
end
$$;
