import { specimens } from '#test/isolation/specimens/all.ts'
import { numberIn, type ChangeWorld } from './changeWorld.fixture.ts'

/** Reports: files of them and of the rows behind, schedules, and the business day. */
export async function reportsOfCompanies({ act, manager, of }: ChangeWorld): Promise<void> {
  const schedule = specimens.createReportSchedule(of, of.manager)
  const id = numberIn(await act(manager, 'createReportSchedule', schedule), 'id')
  for (const name of ['exportReportSchedules', 'exportReportDeliveries'] as const) await act(manager, name, {})
  await act(manager, 'changeReportSchedule', { ...schedule, id })
  await act(manager, 'switchReportSchedule', { id, state: 'paused' })
  await act(manager, 'removeReportSchedule', { id })
  await act(manager, 'changeReportCalendar', { zone: 'Asia/Tokyo', dayStartsAt: 2 })
  await act(manager, 'exportReportRows', specimens.exportReportRows(of, of.manager))
  await act(manager, 'exportShownTable', specimens.exportShownTable(of, of.manager))
  await act(manager, 'exportSourceRows', specimens.exportSourceRows(of, of.manager))
  await act(manager, 'exportReconciliation', specimens.exportReconciliation(of, of.manager))
  await act(manager, 'exportReconciliationRows', specimens.exportReconciliationRows(of, of.manager))
}
