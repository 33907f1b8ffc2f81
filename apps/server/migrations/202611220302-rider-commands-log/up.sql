-- What riders' apps had done, newest first, for the log of vehicles. Commands of people have their lines in the trail.
create index vehicle_command_riders on vehicle_command (agent_id, queued_at, id) include (area_id) where operator_id = 0;
