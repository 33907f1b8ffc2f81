-- The box around an area, so that those near a boundary are found without reading rings.
create function ring_box(ring jsonb) returns box language sql immutable strict parallel safe
return (
  select box(point(min((p ->> 0)::float8), min((p ->> 1)::float8)), point(max((p ->> 0)::float8), max((p ->> 1)::float8)))
  from jsonb_array_elements(ring) as p
);
