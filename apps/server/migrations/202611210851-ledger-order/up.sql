-- Posts many entries in one statement: all those that are plainly good at once, the others one by one, so that a bad
-- one does not fail its neighbours. Balances move by the sums of all, so entries that would be good in another order are
-- not plainly good. Lists of accounts and amounts are PostgreSQL's array texts, such as {1001,1002}.
-- No reference and key may come twice. Whoever calls this inside a transaction holds the books until its end.
create or replace function ledger_post(
  agent_ids bigint[], kinds text[], refs text[], keys text[], occurred timestamptz[], reversals bigint[],
  account_lists text[], amount_lists text[], memos text[],
  out numbers bigint[], out outcomes text[]
) language plpgsql security definer
set search_path = public, pg_temp
set plan_cache_mode = force_generic_plan
set enable_seqscan = off
as $$
declare
  one record;
  place int;
  missing bigint;
  short bigint;
begin
  if cardinality(agent_ids) > 1 then
    perform from ledger_book b where b.agent_id = any (agent_ids) order by b.agent_id for update;
    begin
      with input as (
        select i.*, i.account_list::bigint[] as account_ids, i.amount_list::bigint[] as amounts_cents,
          ledger_input_hash(i.kind, i.reference, i.key, i.reverses, i.account_list, i.amount_list, i.memo) as input_hash
        from unnest(agent_ids, kinds, refs, keys, occurred, reversals, account_lists, amount_lists, memos)
          with ordinality as i (
            agent_id, kind, reference, key, occurred_at, reverses, account_list, amount_list, memo, place
          )
        -- Neither `not exists`, which may become a join that reads the whole index, nor the plain agent_id, which
        -- invites other indexes: plans must not depend on how full the table is.
        where i.reverses is null and (
          select e.number from ledger_entry e
          where e.agent_id + 0 = i.agent_id and e.reference = i.reference and e.key = i.key
        ) is null
      ),
      numbered as (
        select i.*, b.entry_number + row_number() over w as number,
          case when row_number() over w = 1 then b.entry_hash else '\x' end as head
        from input i join ledger_book b on b.agent_id = i.agent_id
        window w as (partition by i.agent_id order by i.place)
      ),
      chained as materialized (
        select n.*, ledger_chain(
          n.head || ledger_link_content(n.agent_id, n.number, n.occurred_at, now(), n.input_hash)
        ) over (partition by n.agent_id order by n.place rows unbounded preceding) as hash
        from numbered n
      ),
      entry as (
        insert into ledger_entry (
          agent_id, number, kind, reference, key, occurred_at, recorded_at, reverses, account_ids, amounts_cents, memo,
          input_hash, hash
        )
        select c.agent_id, c.number, c.kind, c.reference, c.key, c.occurred_at, now(), c.reverses, c.account_ids,
          c.amounts_cents, c.memo, c.input_hash, c.hash
        from chained c
      ),
      head as (
        update ledger_book b
        set entry_number = d.number, entry_hash = d.hash
        from (
          select c.agent_id, max(c.number) as number, (array_agg(c.hash order by c.number desc))[1] as hash
          from chained c group by c.agent_id
        ) d
        where b.agent_id = d.agent_id
      ),
      line as materialized (
        select c.agent_id, c.number, generate_subscripts(c.account_ids, 1) as line, unnest(c.account_ids) as account_id,
          unnest(c.amounts_cents) as amount_cents
        from chained c
      ),
      delta as materialized (
        select l.account_id, l.agent_id, sum(l.amount_cents)::bigint as amount_cents, count(*) as postings,
          coalesce(sum(l.amount_cents) filter (where l.amount_cents > 0), 0)::bigint as paid_in
        from line l group by l.account_id, l.agent_id
      ),
      moving as (
        update ledger_balance b
        set balance_cents = b.balance_cents + d.amount_cents, posting_count = b.posting_count + d.postings
        from delta d
        -- The list is what keeps a plan from reading every balance that there is.
        where b.account_id = any (array(select t.account_id from delta t))
          and b.account_id = d.account_id and b.agent_id = d.agent_id
        -- Without what comes in here there would not be enough for what goes out: whether it came first, only the entries
        -- one by one can say.
        returning b.account_id, b.is_owned, d.postings,
          not b.may_be_negative and b.balance_cents < d.paid_in as is_short
      ),
      posting as (
        insert into ledger_owner_posting (account_id, entry_number, line, agent_id, amount_cents)
        select l.account_id, l.number, l.line, l.agent_id, l.amount_cents
        from line l join moving m on m.account_id = l.account_id
        where m.is_owned
      )
      select array_agg(c.number order by p.place), array_agg(case when c.number > 0 then 'posted' end order by p.place),
        (select count(*) from line) - (select coalesce(sum(m.postings), 0) from moving m),
        (select count(*) from moving m where m.is_short)
      into numbers, outcomes, missing, short
      from generate_series(1, cardinality(agent_ids)) p (place) left join chained c on c.place = p.place;
      if missing <> 0 then
        raise exception 'an entry names an account that is not of its book'
          using errcode = 'foreign_key_violation', constraint = 'ledger_entry_accounts';
      end if;
      if short <> 0 then
        raise exception 'an account may have been below zero between two entries'
          using errcode = 'check_violation', constraint = 'ledger_balance_not_negative';
      end if;
    exception
      when integrity_constraint_violation or check_violation or unique_violation or foreign_key_violation
        or not_null_violation or data_exception then
        numbers := null;
        outcomes := null;
    end;
    if array_position(outcomes, null) is null and outcomes is not null then
      return;
    end if;
  end if;
  for place in 1 .. cardinality(agent_ids) loop
    continue when outcomes[place] is not null;
    select * into one from ledger_post_one(
      agent_ids[place], kinds[place], refs[place], keys[place], occurred[place], reversals[place],
      account_lists[place], amount_lists[place], memos[place]
    );
    numbers[place] := one.number;
    outcomes[place] := one.outcome;
  end loop;
end
$$;
