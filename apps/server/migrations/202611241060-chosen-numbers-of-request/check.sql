select 'chosen_numbers answers within the scope' as what,
  pg_get_functiondef('chosen_numbers(text,integer,integer)'::regprocedure) ~ 'any \(app_agent_ids\(\)\)' as ok;
