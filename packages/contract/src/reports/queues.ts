import type { Endpoint } from '#contract/endpoint.ts'
import { exportEndpoints } from '#contract/exports/jobs.ts'
import { channelBillEndpoints } from '#contract/finance/channelBills.ts'
import { invoiceEndpoints } from '#contract/finance/invoices.ts'
import { objectionEndpoints, openObjectionStates } from '#contract/finance/objections.ts'
import { channelRefundEndpoints } from '#contract/finance/refunds.ts'
import { withdrawalEndpoints } from '#contract/finance/withdrawals.ts'
import { searchEndpoints } from '#contract/fleet/search.ts'
import { operatorDeviceEndpoints } from '#contract/identity/devices.ts'
import type { NoticeKind } from '#contract/notices/words.ts'
import type { PagePath } from '#contract/menu.ts'
import type { Permission } from '#contract/permissions.ts'
import { parkApplicationEndpoints } from '#contract/operations/parkApplications.ts'
import { taskEndpoints } from '#contract/operations/tasks.ts'
import { taskOutcomes, unfinishedStates } from '#contract/operations/taskWords.ts'
import { applicationEndpoints } from '#contract/organisation/applications.ts'
import { certificateEndpoints } from '#contract/rider/certificates.ts'
import { rebindEndpoints } from '#contract/rider/rebinds.ts'
import { returnEndpoints } from '#contract/riding/returns.ts'
import { supportTicketEndpoints } from '#contract/support/tickets.ts'

/**
 * What waits for a person: a page of the product and conditions of its list. The home page shows the list's own count, so that
 * it is the count that the page has; who may not open the page is not told of it.
 */
export interface Queue {
  readonly title: string
  /** The page of the list. */
  readonly call: Endpoint
  readonly filter: object
  readonly path: PagePath
  /** Of who decides, where the page is for others too. */
  readonly permission?: Permission
  /** Which of several lists of the page. */
  readonly params?: Readonly<Record<string, string>>
  readonly tone: 'bad' | 'warn' | 'info'
  /** Left out for those who do not want to be told of such things. */
  readonly notice?: NoticeKind
}

/** In the order in which they are shown: one's own first, then what is late, then what waits. */
export const queues = [
  {
    title: '我的任务',
    call: taskEndpoints.searchTasks,
    filter: { mine: true, states: [...unfinishedStates] },
    path: '/data/operation-tasks',
    tone: 'warn',
  },
  {
    title: '我的用户工单',
    call: supportTicketEndpoints.listTickets,
    filter: { who: 'mine', states: ['open', 'in_work'] },
    path: '/user-worksheet',
    tone: 'warn',
  },
  {
    title: '超时的任务',
    call: taskEndpoints.searchTasks,
    filter: { overdue: true },
    path: '/data/operation-tasks',
    tone: 'bad',
  },
  {
    title: '超时的用户工单',
    call: supportTicketEndpoints.listTickets,
    filter: { overdue: true },
    path: '/user-worksheet',
    tone: 'bad',
  },
  {
    title: '有未关闭告警的车辆',
    call: searchEndpoints.searchVehicles,
    filter: { alarms: [] },
    path: '/vehicle/vehicle-query',
    tone: 'bad',
    notice: 'alarms',
  },
  {
    title: '低电量车辆',
    call: searchEndpoints.searchVehicles,
    filter: { lowBattery: true },
    path: '/vehicle/vehicle-query',
    tone: 'warn',
    notice: 'alarms',
  },
  {
    title: '离线车辆',
    call: searchEndpoints.searchVehicles,
    filter: { online: false },
    path: '/vehicle/vehicle-query',
    tone: 'warn',
    notice: 'alarms',
  },
  {
    title: '待领取的任务',
    call: taskEndpoints.searchTasks,
    filter: { states: ['open'] },
    path: '/data/operation-tasks',
    tone: 'warn',
  },
  {
    title: '待处理的现场反馈',
    call: taskEndpoints.searchTasks,
    filter: { outcomes: [...taskOutcomes], states: [...unfinishedStates] },
    path: '/data/operation-tasks',
    permission: '090901',
    tone: 'bad',
  },
  {
    title: '待审核的任务',
    call: taskEndpoints.searchTasks,
    filter: { reviews: ['waiting'] },
    path: '/data/operation-tasks',
    permission: '090902',
    tone: 'warn',
    notice: 'approvals',
  },
  {
    title: '待审批的还车',
    call: returnEndpoints.listReturnReviews,
    filter: { states: ['open'] },
    path: '/carReturn-approve',
    tone: 'warn',
    notice: 'approvals',
  },
  {
    title: '无人处理的用户工单',
    call: supportTicketEndpoints.listTickets,
    filter: { who: 'nobody', states: ['open', 'in_work'] },
    path: '/user-worksheet',
    tone: 'warn',
  },
  {
    title: '待审批的停车点申请',
    call: parkApplicationEndpoints.listParkApplications,
    filter: { states: ['waiting'] },
    path: '/data/park-application',
    tone: 'warn',
    notice: 'approvals',
  },
  {
    title: '待审核的专业认证',
    call: certificateEndpoints.listCertificates,
    filter: { states: ['waiting'] },
    path: '/user-manage/student-certificate',
    tone: 'warn',
    notice: 'approvals',
  },
  {
    title: '待审核的实名换绑',
    call: rebindEndpoints.listRebinds,
    filter: { states: ['waiting'] },
    path: '/bindcard-list',
    tone: 'warn',
    notice: 'approvals',
  },
  {
    title: '待复核的提现',
    call: withdrawalEndpoints.listWithdrawals,
    filter: { states: ['waiting'] },
    path: '/financial/CostCenter/withdraw',
    tone: 'warn',
    notice: 'approvals',
  },
  {
    title: '待处理的渠道差异',
    call: channelBillEndpoints.listChannelDifferences,
    filter: { states: ['open', 'proposed', 'suspended'] },
    path: '/financial/ChannelBills',
    params: { view: 'differences' },
    tone: 'warn',
  },
  {
    title: '未处理完的账单异议',
    call: objectionEndpoints.listObjections,
    filter: { states: [...openObjectionStates] },
    path: '/financial/objectionBill',
    tone: 'warn',
    notice: 'approvals',
  },
  {
    title: '失败的退款',
    call: channelRefundEndpoints.listRefunds,
    filter: { states: ['failed'] },
    path: '/user-info',
    params: { view: 'refunds' },
    tone: 'bad',
  },
  {
    title: '待开的发票',
    call: invoiceEndpoints.listInvoices,
    filter: { states: ['requested'] },
    path: '/invoicing-ticket',
    tone: 'warn',
    notice: 'approvals',
  },
  {
    title: '待授权的登录设备',
    call: operatorDeviceEndpoints.deviceAuthorizeInfo,
    filter: { states: ['requested'] },
    path: '/permissions/device',
    tone: 'warn',
    notice: 'approvals',
  },
  {
    title: '待审核的加盟申请',
    call: applicationEndpoints.listApplications,
    filter: { states: ['submitted'] },
    path: '/agent/account-management',
    params: { tab: 'applications' },
    tone: 'warn',
    notice: 'approvals',
  },
  {
    title: '可以下载的导出文件',
    call: exportEndpoints.listOwnExports,
    filter: { states: ['done'] },
    path: '/exports',
    tone: 'info',
  },
] as const satisfies readonly Queue[]
