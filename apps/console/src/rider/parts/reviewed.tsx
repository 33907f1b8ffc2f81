import type { ReactNode } from 'react'
import { t } from '#kit/i18n/index.ts'
import type { Column } from '#kit/list/DataTable.tsx'
import { Button } from '#kit/plain/Button.tsx'
import { Person } from './Person.tsx'

/** What somebody asked for and somebody else decides. */
interface Reviewed {
  readonly riderId: number
  readonly phone: string
  readonly name: string | null
  readonly state: string
  readonly decidedBy: string | null
  readonly company: string
}

type MarkOf<R> = (row: R) => ReactNode

export const reviewedHead = <R extends Reviewed>(row: R, mark: MarkOf<R>): ReactNode => (
  <span className="rider-head">
    <Person riderId={row.riderId} phone={row.phone} name={row.name} />
    {mark(row)}
  </span>
)

/** The columns of a list that is decided beside it: who, how it stands, the way to its papers; then its own. */
export function reviewedColumns<R extends Reviewed>(options: {
  readonly mark: MarkOf<R>
  readonly onShow: (row: R) => void
  readonly own: readonly Column<R>[]
}): readonly Column<R>[] {
  const { mark, onShow, own } = options
  return [
    {
      key: 'person',
      title: t('用户', { context: 'rider' }),
      inHead: true,
      render: (row) => <Person riderId={row.riderId} phone={row.phone} name={row.name} />,
    },
    { key: 'state', title: t('状态'), inHead: true, render: mark },
    {
      key: 'show',
      title: t('材料'),
      render: (row) => (
        <Button look="quiet" onClick={() => onShow(row)}>
          {row.state === 'waiting' ? t('审核') : t('查看')}
        </Button>
      ),
    },
    ...own,
    { key: 'by', title: t('审核人'), render: (row) => row.decidedBy ?? '--' },
    { key: 'company', title: t('加盟商'), render: (row) => row.company },
  ]
}
