import { coreErrors, fillText, row, type ErrorRow } from './coreErrors.ts'

/**
 * The one catalogue of coded errors. The server throws `AppError`, the wire carries
 * `{suc: false, error: {code, promot}}`, the client reads it once with `parseErrorAnswer`.
 * Texts of the specification's section 8 stand here to the letter.
 */
export const errorCatalogue = {
  ...coreErrors,
  account_info_failed: row(502, '开户信息获取失败'),
  account_not_active: row(409, '开户尚未完成，暂不能管理支付密码'),
  account_not_open: row(409, '开户尚未完成，暂不能进行此操作'),
  opening_pending: row(409, '开户申请正在审核或已经完成，不能修改'),
  opening_incomplete: row(409, '开户资料不完整：{missing}'),
  bank_refused: row(409, '银行未受理：{reason}'),
  bank_silent: row(502, '银行没有应答，结果未知，请稍后查询，不要重复提交'),
  bank_unavailable: row(503, '银行服务尚未配置，请联系平台管理员'),
  bank_card_too_many: row(409, '绑定的银行卡已达上限，请先解绑不再使用的'),
  bank_card_known: row(409, '这张银行卡已经绑定或正在验证'),
  bank_card_state: row(409, '银行卡状态已变化，请刷新后查看'),
  bank_card_check_wrong: row(400, '验证不正确，还可以再试 {left} 次'),
  bank_card_check_locked: row(409, '验证错误次数过多，这张银行卡不能再验证，请重新绑定'),
  bank_card_in_use: row(409, '这张银行卡有尚未完成的提现，暂不能解绑'),
  bank_card_rests: row(409, '新绑定的银行卡需满一天才能提现，可提现时间：{at}'),
  code_too_soon: row(429, '验证码刚刚发送过，请稍后再试'),
  sub_account_too_many: row(409, '子账户数量已达上限'),
  withdrawal_stopped: row(403, '平台已暂停提现：{reason}'),
  withdrawal_below_min: row(400, '低于最低提现金额 {amount} 元'),
  withdrawal_above_day: row(409, '超过单日提现限额，今天还可提现 {amount} 元'),
  withdrawal_state: row(409, '这笔提现的状态已变化，请刷新后查看'),
  withdrawal_not_authorised: row(409, '银行尚未收到支付密码授权，请先在银行页面输入支付密码'),
  withdrawal_terms_own: row(403, '不能变更本公司的提现条件，请由平台变更'),
  payment_unavailable: row(503, '支付渠道暂不可用，请稍后再试'),
  refund_above_paid: row(409, '退款金额超过可退金额'),
  money_held: row(409, '超过个人每日资金操作上限，已提交（编号 {id}），待另一位有同样权限的人员确认'),
  money_action_decided: row(409, '该资金操作已被处理或已过期，请刷新后查看'),
  second_person_same: row(403, '不能确认自己提交的资金操作，请由另一人确认'),
  channel_bill_compared: row(409, '该渠道当天的账单已经核对过，与这份文件不同；已核对的账单不能更换'),
  channel_bill_hash: row(400, '文件的 SHA-1 与填写的不一致，没有核对'),
  channel_bill_unreadable: row(400, '账单文件无法识别，没有核对任何一行（{detail}）'),
  channel_bill_incomplete: row(400, '账单文件不完整或与其汇总不符，没有核对任何一行（{detail}）'),
  channel_bill_foreign: row(400, '这不是该商户当天的账单，没有核对任何一行（{detail}）'),
  channel_bill_early: row(400, '只能核对已经结束的日期的账单'),
  difference_decided: row(409, '该差异已被处理或暂不能这样处理，请刷新后查看'),
  difference_platform: row(403, '渠道差异由平台人员处理'),
  difference_not_bookable: row(409, '这笔交易不能补单：平台没有对应的待支付记录，或金额不同'),
  franchisee_missing: row(400, '此应用可代表多家加盟商，请用 agentId 指明骑行者的加盟商'),
  refund_not_failed: row(409, '这笔退款没有失败或已经处理，请刷新后查看'),
  balance_insufficient: row(409, '账户余额不足'),
  deposit_insufficient: row(409, '可用押金不足'),
  deposit_case_decided: row(409, '该冻结已经处理，请刷新后查看'),
  card_not_refundable: row(409, '这张卡没有可以退的天数或次数，请刷新后查看'),
  deposit_above_bound: row(409, '押金不能超过车辆平均成本的十分之一：最多 {max} 元'),
  card_off_sale: row(409, '这张卡已停售，没有扣款'),
  card_not_yet: row(409, '这张卡还没有开售，没有扣款'),
  card_sold_out: row(409, '这张卡已售罄，没有扣款'),
  card_rider_max: row(409, '这张卡每人限购 {max} 张，没有扣款'),
  card_below_sold: row(409, '库存不能低于已售出的 {sold} 张'),
  card_ended: row(409, '已下架的卡不能再上架，请复制为新的卡'),
  deposit_missing: row(409, '请先缴纳押金'),
  split_day_closed: row(409, '规则最早自 {day} 起执行：已日结与正在记账的日子不能更改'),
  split_set_above: row(403, '分账规则与准备金由上级公司设置'),
  entry_not_reversible: row(409, '这笔记账不存在或已冲正'),
  payment_password_unavailable: row(503, '支付密码服务尚未配置，请联系平台管理员'),

  grant_exceeds: row(403, '不能授予您自己没有的权限：{detail}'),
  above_caller: row(403, '对方的权限或服务区超出您的，不能操作'),
  own_access: row(403, '不能修改、停用或删除自己的账号与角色'),
  last_administrator: row(409, '这会使公司失去最后一名启用的管理员，操作已取消'),
  in_use: row(409, '仍在使用中，不能删除：{detail}'),
  name_taken: row(409, '名称已被使用，请更换'),
  domain_taken: row(409, '该域名已登记给其他加盟商，请更换'),
  phone_taken: row(409, '该手机号已被使用，请更换'),

  application_duplicate: row(409, '该手机号已提交过申请，请等待审核'),
  application_decided: row(409, '该申请已经处理，请刷新后查看'),
  own_company: row(409, '不能停用或移动平台与本公司'),
  company_below_itself: row(409, '不能把加盟商移到它自己或它的下级之下'),
  too_many_companies: row(409, '加盟商数量已达上限'),
  too_many_areas: row(409, '服务区数量已达上限'),
  areas_held: row(403, '您只管理部分服务区，不能新增服务区'),
  areas_required: row(400, '请至少选择一个服务区，否则登录后看不到任何数据'),
  boundary_invalid: row(400, '{detail}'),
  boundary_stays: row(409, '服务区的边界只能修改，开通与删除请到加盟商管理'),
  boundary_one_line: row(400, '服务区须是一个没有挖空的多边形'),
  fence_changed: row(409, '已有更新的版本，请载入后再改：{detail}'),
  fence_removed: row(409, '该围栏已被删除：{detail}'),
  fence_name_taken: row(409, '该服务区已有同名的围栏，请更换名称：{detail}'),
  too_many_fences: row(409, '一个服务区最多 {max} 个围栏'),
  jurisdictions_too_many: row(409, 'MDS 辖区数量已达上限，请先结束不再使用的'),
  mds_clients_too_many: row(409, 'MDS 凭据数量已达上限，请先停用不再使用的'),
  mds_token_required: row(400, '请填写城市给出的令牌'),
  mds_policies_too_many: row(409, '该辖区的政策数量已达上限，请先移除不再需要的'),
  mds_policies_unread: row(409, '没有从该地址读到 Policy 与 Geography：{detail}'),
  mds_rule_unusable: row(409, '这条规则不能采用，或其政策已经结束'),
  mds_rule_outside: row(409, '规则的区域不在本公司的服务区内'),
  mds_policy_in_use: row(409, '请先撤销已经采用的规则'),
  vehicle_not_found: row(404, '没有找到这辆车'),
  vehicle_number_taken: row(409, '车辆编号 {number} 已被登记，请更换'),
  imei_taken: row(409, 'IMEI {imei} 已登记在另一辆车上'),
  terminal_number_taken: row(409, '终端号 {number} 已登记在另一辆车上'),
  plate_taken: row(409, '车牌 {plate} 已登记在另一辆车上'),
  imei_check_digit: row(400, 'IMEI 校验位不符：请核对号码；若设备确实使用该号码，请勾选“不核对校验位”'),
  terminal_number_unfit: row(400, '只有 JT/T 808 终端使用终端号'),
  unknown_device_refused: row(409, '该设备已被拒绝：{reason}。请先在“未知设备”中撤销拒绝'),
  unknown_device_decided: row(409, '该设备已经处理，请刷新后查看'),
  unknown_device_registered: row(409, '该设备已登记，请在车辆详情中处理它的密码或协议'),
  unknown_device_other: row(400, '登记的 IMEI 或终端号与来访的设备不一致'),
  vehicle_in_service: row(409, '车辆已上报过或已有业务记录，不能撤销登记'),
  device_without_secret: row(409, 'Omni 设备没有密码'),
  model_profile_protocol: row(400, '锁控协议与车型的通信协议不符'),
  device_not_terminal: row(409, '只有 JT/T 808 终端需要注册'),
  command_refused: row(409, '车辆当前状态不允许该操作'),
  vehicle_not_parked: row(409, '车辆不在停放状态，不能标记停运'),
  vehicle_not_out: row(409, '车辆没有停运'),
  vehicle_battery_low: row(409, '电量过低，充电后自动恢复'),
  vehicle_in_repair: row(409, '正在维修，完成维修后恢复'),
  command_pending: row(409, '上一条同类指令尚未结束'),

  ticket_step_refused: row(409, '工单当前状态不能进行此操作'),
  ticket_person_unfit: row(409, '该人员不能处理此工单，请换一人'),
  ticket_photos_full: row(409, '工单的照片已达上限'),
  feedback_made: row(409, '这张用户工单已经转过反馈工单'),
  feedback_too_many: row(429, '今天提交的反馈工单已达上限'),
  rider_unknown: row(404, '没有找到这位骑行者'),

  invoice_decided: row(409, '该申请已经处理，请刷新后查看'),
  invoice_above_paid: row(409, '开票金额超过实际支付且未退款的金额'),
  invoice_number_taken: row(409, '该发票号码已登记过'),
  invoice_items_taken: row(409, '所选项目已申请开票或不能开票'),

  help_full: row(409, '最多 {max} 篇未撤下的文章，请先撤下不用的'),
  telephones_full: row(409, '最多 {max} 条客服电话，请修改已有的'),
  ads_full: row(409, '最多 {max} 个未结束的广告，请先结束不用的'),
  ad_picture_unfit: row(400, '{slot}的图片比例须为 {ratio}，宽度至少 {width} 像素'),
  ad_target_missing: row(400, '点击后打开的内容不存在或不属于该加盟商，请重新选择'),
  ad_ended: row(409, '该广告已结束，可以复制后重新投放'),
  ad_over: row(409, '该广告的结束时间已过，请先修改'),
  ad_not_on: row(409, '该广告没有在投放，请刷新后查看'),

  coupon_off: row(409, '该优惠券已暂停发放'),
  coupon_over: row(409, '该优惠券已过截止时间，不能再发放'),
  coupon_below_used: row(409, '预算不能低于已使用的部分：{used}'),
  coupon_platform_bears: row(403, '由平台承担的优惠券只能由平台设置'),
  coupon_batch_closed: row(409, '该批次没有未使用的券：都已使用、过期或收回'),
  coupon_budget_spent: row(409, '该优惠券的预算已用完'),
  coupon_code_unknown: row(404, '没有这个兑换码，请核对后重试'),
  coupon_code_taken: row(409, '该兑换码已被他人领取'),
  coupon_code_over: row(409, '该兑换码已过期'),
  coupon_code_revoked: row(409, '该兑换码已被收回：{reason}'),
  reward_used: row(409, '奖励已全部使用或已失效，没有可收回的部分'),
  reward_not_restorable: row(409, '部分使用过的奖励不能恢复，请人工发放'),
  fixed_activity_taken: row(409, '同一事件已有活动“{name}”在进行，请先结束它或错开时间'),
  segment_off: row(409, '该人群已停用，请先恢复或另选'),
  campaign_started: row(409, '推送已经开始，内容不能再改'),
  campaign_state: row(409, '推送现在的状态不能这样操作，请刷新后重试'),
  campaign_over: row(409, '截止时间已过，请先修改'),
  coupon_cap: row(409, '您持有的该优惠券已达上限（{max} 张），使用后再领'),
  coupon_device: row(409, '这台手机领取的该优惠券已达上限（{max} 张）'),

  prepaid_cap: row(409, '账户余额最多 {cap} 元，现在最多还可充值 {room} 元'),
  recharge_offer_over: row(409, '该充值活动已停止或不适用，请刷新后重试，或直接充值'),
  recharge_offer_first: row(409, '该充值活动仅限首次充值'),
  recharge_offer_used: row(409, '您已达该充值活动可参加的次数'),

  activity_ended: row(409, '活动已结束，不能再修改'),
  activity_over: row(409, '活动的结束时间已过，请先修改结束时间'),
  activity_step_refused: row(409, '活动当前状态不能进行此操作'),
  activity_below_used: row(409, '预算不能低于已使用的部分：{used}'),
  activity_platform_bears: row(403, '由平台承担的活动只能由平台设置'),

  invite_code_unknown: row(404, '没有这个邀请码，请核对后重试'),
  invite_guesses_spent: row(429, '今天填错的次数过多，请明天再试'),
  invite_own_code: row(409, '不能填写自己的邀请码'),
  invite_bound: row(409, '您已填写过邀请码'),
  invite_not_new: row(409, '邀请码只能由新用户在首次付费骑行之前填写'),
  invite_off: row(409, '目前没有进行中的邀请活动'),
  invite_decided: row(409, '该邀请当前状态不能进行此操作，请刷新后查看'),
  invite_not_granted: row(409, '奖励不能发放：{why}'),

  photo_invalid: row(400, '照片无法识别，请换一张 JPEG、PNG 或 WebP'),
  photo_too_large: row(413, '照片过大：单张不超过 400 kB、1200 万像素'),
  photo_missing: row(409, '照片已失效，请重新上传'),

  price_missing: row(409, '该服务区还没有生效的计价版本'),
  ride_not_begun: row(409, '骑行尚未开始，还没有费用'),
  vehicle_busy: row(409, '这辆车已被预约或正在使用'),
  vehicle_unavailable: row(409, '这辆车暂时不能使用，请换一辆'),
  rider_busy: row(409, '您有尚未结束的预约或骑行'),
  order_due: row(409, '您有待支付的订单，请先支付'),
  ride_step_refused: row(409, '当前状态不能进行此操作'),
  return_photos_full: row(409, '该订单的照片已达上限'),
  return_refused: row(409, '此处为禁停区，请移到停车点内还车'),
  refund_too_high: row(409, '退款金额超过可退金额'),
  review_decided: row(409, '该还车已经审批，请刷新后查看'),
  task_taken: row(409, '任务已被 {name} 领取'),
  task_not_yours: row(409, '任务不在您手上，请刷新后查看'),
  task_for_named: row(403, '该服务区的这类任务由指定人员负责，请联系调度'),
  task_over: row(409, '任务已经结束，请刷新后查看'),
  task_exists: row(409, '这辆车已有未完成的同类任务'),
  task_other_vehicle: row(409, '扫到的 {number} 不是任务的车辆'),
  task_review_own: row(403, '不能审核自己完成的任务'),
  task_not_waiting: row(409, '该任务不在待审核状态，请刷新后查看'),
  worker_unavailable: row(409, '此人不能处理该服务区的任务'),
  park_own: row(403, '不能审批自己的申请'),
  rider_banned: row(409, '您的账号已被限制用车，请联系客服'),
  certificate_taken: row(409, '该证件已绑定其他账号，请申请换绑'),
  already_certified: row(409, '该账号已经实名'),
  rebind_taken: row(409, '该手机号或证件已绑定其他账号，请刷新后查看'),
  rebind_needless: row(409, '该证件没有绑定其他账号，请直接实名'),
  request_waiting: row(409, '已有一份申请正在等待审核'),
  request_decided: row(409, '该申请已经处理，请刷新后查看'),
  objection_late: row(409, '账单出账已超过三十天，不能再提出异议'),
  objection_above_line: row(409, '争议金额超出该明细可争议的部分，请刷新后查看'),
  objection_decided: row(409, '该异议已经处理，请刷新后查看'),
  service_bill_not_open: row(409, '该账单没有可减免的金额，请刷新后查看'),
  meter_price_too_early: row(400, '新单价最早从明天起生效'),
  artefact_too_large: row(413, '文件为空或超过 {kib} KB'),
  artefact_format: row(422, '文件格式不符：固件须为 SDFW 镜像，语音包须为 WAV、MP3 或 AMR'),
  artefact_header: row(422, '固件文件头中的版本、协议或车型与填写的不一致'),
  artefact_unsigned: row(422, '签名未通过：文件没有由平台信任的密钥签名'),
  artefact_off: row(409, '该固件或语音包已停用'),
  upgrade_no_vehicle: row(409, '没有可以升级的车辆'),
  upgrade_over: row(409, '活动已结束，不能再操作'),
  upgrade_no_rollback: row(409, '没有可以回退到的版本'),
  sheet_format: row(422, '文件不是 xlsx 工作簿，也不是 CSV 文本'),
  sheet_too_large: row(413, '文件解压后超过 {mib} MB，或读取超时，请分成几个文件'),
  sheet_rows: row(422, '文件没有数据行，或超过 {rows} 行'),
  sheet_columns: row(422, '文件第一行缺少列：{columns}'),
  import_over: row(409, '该批次已处理，请刷新后查看'),
  import_bad_rows: row(409, '有 {bad} 行不能导入，请改正文件，或只导入无误的行'),
  import_changed: row(409, '检查之后有 {rows} 行的标识被占用，请查看后重新确认'),
  import_in_use: row(409, '该批次已有车辆连接过平台或已有业务，不能撤销'),
  rider_import_known: row(409, '该文件已上传过（导入批次 {id}），不会重复导入'),
  rider_import_changed: row(409, '检查之后有 {rows} 位用户已注销或已导入期初余额，请放弃该批次后重新上传'),
  import_too_many: row(409, '待确认的批次已有 {count} 个，请先导入或放弃'),
  serial_taken: row(409, 'SN 已登记在另一辆车'),
  mac_taken: row(409, 'MAC 已登记在另一辆车'),
  iccid_taken: row(409, 'ICCID 已登记在另一辆车'),
  unit_in_contact: row(409, '设备已连接过平台，编号、IMEI 与型号不能再更正'),
  unit_deployed: row(409, '车辆已投放或已退役，不能再交付或投放'),
  unit_busy: row(409, '车辆正在使用或状态不允许，请稍后再试'),
  unit_retired: row(409, '车辆已退役'),
  unit_not_tested: row(409, '车辆尚未通过出厂检测'),
  unit_in_test: row(409, '车辆正在检测或返修，完成后再操作'),
  factory_test_over: row(409, '该检测已结束，请刷新后查看'),
  rework_over: row(409, '该返修已完成，请刷新后查看'),
  labels_none: row(404, '没有可以打印的车辆'),
  voltage_changed: row(409, '该版本已被修改或已生效，请刷新后查看'),
  voltage_not_replayed: row(409, '请先用最近一周的上报回放当前草稿，再让它生效'),
  voltage_model_taken: row(409, '车型 {model} 已由电压方案“{name}”使用，请先在那个方案中移除'),
  voltage_from: row(400, '生效时间须在一分钟之后、九十天之内'),
  voltage_many: row(409, '电压方案或版本已达上限（{count} 个）'),
  order_not_charged: row(409, '该订单没有收费，不能退款'),
} as const satisfies Record<string, ErrorRow>

export type ErrorCode = keyof typeof errorCatalogue

export interface AppErrorOptions {
  /** Fills the placeholders of the catalogue's text. */
  readonly values?: Readonly<Record<string, string | number>>
  readonly cause?: unknown
  /** Seconds until another try may succeed, where they are known better than the catalogue has them. */
  readonly retryAfterS?: number
}

/** A refusal with a code of the catalogue; `message` is the text for the user. */
export class AppError extends Error {
  override readonly name = 'AppError'
  readonly code: ErrorCode
  readonly status: number
  readonly retryAfterS: number | undefined
  /** What filled the placeholders: the text can be said again in another language. */
  readonly values: Readonly<Record<string, string | number>>

  constructor(code: ErrorCode, options: AppErrorOptions = {}) {
    super(errorText(code, options.values), options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    const { status, retryAfterS }: ErrorRow = errorCatalogue[code]
    this.status = status
    this.retryAfterS = options.retryAfterS ?? retryAfterS
    this.values = options.values ?? {}
  }
}

/** The catalogue's text with its placeholders filled; an unfilled one disappears. */
export function errorText(code: ErrorCode, values: Readonly<Record<string, string | number>> = {}): string {
  return fillText(errorCatalogue[code].promot, values)
}

export function isErrorCode(value: unknown): value is ErrorCode {
  return typeof value === 'string' && Object.hasOwn(errorCatalogue, value)
}
