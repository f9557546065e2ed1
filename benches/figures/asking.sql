select approach, count(*) as cells_n from cells group by approach order by approach
