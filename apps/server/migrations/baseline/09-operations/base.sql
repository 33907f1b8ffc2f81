create function business_day(at timestamptz) returns date language sql immutable parallel safe
return (at at time zone 'Asia/Shanghai')::date;
