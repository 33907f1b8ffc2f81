create index wall_screen_agent_id on wall_screen (agent_id);
