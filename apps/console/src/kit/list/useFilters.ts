import { changeFilter, useAddressFilter, type FilterSchema } from './addressFilter.ts'
import type { Filter } from './declare.ts'
import type { FilteredList } from './useList.ts'
import { usePhone } from './usePhone.ts'

/** Filter conditions in the address of a page of figures, with the same filter bar as lists. */
export function useFilters<F extends Filter>(schema: FilterSchema<F>): FilteredList<F> {
  const [filter, setFilter] = useAddressFilter(schema)
  return {
    declaration: { usual: {} },
    filter,
    conditions: filter,
    change: (part) => setFilter(changeFilter(filter, part)),
    clear: () => setFilter({}),
    total: null,
    isPhone: usePhone(),
  }
}

/** A bar for some of the conditions of a list, where others have a bar of their own. */
export function someConditions<F extends Filter>(list: FilteredList<F>, names: readonly (keyof F)[]): FilteredList<F> {
  const entries = Object.entries(list.conditions).filter(([name]) => names.includes(name))
  return {
    ...list,
    conditions: Object.fromEntries(entries) as FilteredList<F>['conditions'],
    clear: () => list.change(Object.fromEntries(names.map((name) => [name, undefined])) as never),
  }
}
