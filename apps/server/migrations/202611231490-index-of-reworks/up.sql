create index rework_test on rework (test_id);
