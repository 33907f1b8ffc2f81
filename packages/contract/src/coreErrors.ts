/** A row of the catalogue of errors. */
export interface ErrorRow {
  readonly status: number
  /** Heading of the notification. */
  readonly title: string
  /** Text for the person at the screen. `{}`-placeholders are filled from `AppError.values`. */
  readonly promot: string
  /** Seconds after which the same call is worth another try. */
  readonly retryAfterS?: number
}

/** The heading of a refusal by its HTTP status, as the specification names them. */
export function titleOfStatus(status: number): string {
  if (status === 401) return '未授权'
  return status === 403 ? 'Forbidden' : '错误'
}

export const row = (status: number, promot: string, title = titleOfStatus(status)): ErrorRow => ({
  status,
  title,
  promot,
})

/**
 * The errors of every call and of the login: what a browser has to know before anybody has logged in. All others are in
 * `errors.ts`, which a browser never loads whole for a page in Chinese. */
export const coreErrors = {
  bad_request: row(400, '提交的内容有误：{detail}'),
  unknown_field: row(400, '没有这个字段：{field}'),
  unauthorized: row(401, '授权验证失败'),
  forbidden: row(403, '没有权限执行此操作'),
  foreign_scope: row(403, '所选加盟商或服务区不在您的权限范围内'),
  not_found: row(404, '请求错误，未找到该资源'),
  not_served_here: row(421, '该接口不由此服务提供，请检查服务地址'),
  conflict: row(409, '内容已被他人修改，请刷新后重试'),
  rebalancing_outdated: row(409, '车辆已有变动，请重新计算调度方案'),
  idempotency_key_missing: row(400, '缺少幂等键，请刷新页面后重试'),
  idempotency_mismatch: row(409, '同一请求编号对应了不同的内容，请刷新页面后重试'),
  request_in_progress: row(409, '相同的请求正在处理，请稍候'),
  request_written: row(409, '相同的请求已经执行，但没有留下结果，请刷新页面核对'),
  payload_too_large: row(413, '提交的内容过大'),
  too_many_requests: { ...row(429, '操作过于频繁，请稍后再试'), retryAfterS: 10 },
  too_many_files: { ...row(429, '您有导出正在进行，请等它完成后再试'), retryAfterS: 5 },
  export_too_large: row(409, '这份文件超过 300 万行，请缩小条件后再导出'),
  report_schedules_full: row(409, '定时报表已达上限，请先删除不再需要的'),
  export_busy: row(409, '您有太多导出在排队，请等前面的完成或取消后再试'),
  export_full: row(409, '公司的导出文件占满了空间，请删除不用的文件后再试'),
  export_gone: row(410, '文件已过期或已删除，请重新导出'),
  mail_off: row(409, '平台没有配置邮件服务，请联系管理员'),
  mail_failed: row(502, '邮件没有发出，请检查地址后再试'),
  notice_no_address: row(409, '您还没有登记这个渠道的接收地址'),
  notice_channel_off: row(409, '这个渠道还没有配置，无法发送'),
  notice_not_sent: row(502, '消息没有发出，对方拒收或没有应答'),
  webhook_address: row(400, '请输入 https 开头的完整地址'),
  setting_range: row(400, '这个值不在允许的范围内'),
  setting_of_company: row(400, '这项配置只能由公司统一设置'),
  webhook_private: row(400, '不能使用内网地址'),
  server_error: row(500, '服务器开小差了，请稍后再试'),
  unavailable: { ...row(503, '服务正在启动或维护，请稍后再试'), retryAfterS: 5 },
  overloaded: { ...row(503, '系统繁忙，请稍后再试'), retryAfterS: 2 },
  network: row(0, '网络出现问题，请稍后再试'),
  clock_skew: row(401, '设备时间与服务器不一致'),

  phone_format: row(400, '手机号码格式不正确'),
  phone_invalid: row(400, '无效手机号'),
  code_invalid: row(400, '无效验证码'),
  sms_too_many: row(429, '短信发送次数超量'),
  sms_failed: row(502, '短信发送失败，请稍后再试'),
  login_failed: row(400, '登录失败'),
  login_exception: row(500, '登录异常'),
  operator_disabled: row(403, '账号已停用，请联系管理员', '错误'),
  device_unauthorised: row(403, '当前设备未授权，请联系管理员授权后登陆！', '错误'),
  device_check_failed: row(502, '设备授权失败，请检查当前网络环境'),
  signature_failed: row(400, '获取签名失败'),
  device_own: row(409, '不能移除当前正在使用的设备'),
  passkey_invalid: row(400, '通行密钥验证失败，请重试或使用短信验证码登录'),
  screen_code_invalid: row(400, '配对码无效或已过期，请核对大屏上显示的配对码'),
  screen_too_many: row(409, '大屏终端数量已达上限，请先移除不再使用的'),
  partner_keys_too_many: row(409, '合作方密钥数量已达上限，请先停用不再使用的'),
  webhooks_too_many: row(409, 'Webhook 数量已达上限，请先删除不再使用的'),
  passkey_known: row(409, '该设备上已有您的通行密钥'),
  passkey_too_many: row(409, '通行密钥数量已达上限，请先删除不再使用的'),
  passkey_no_name: row(409, '请通过域名访问平台后再使用通行密钥'),
  totp_required: row(403, '请先输入动态验证码', '错误'),
  totp_missing: row(403, '公司要求使用动态验证码，请先绑定', '错误'),
  totp_invalid: row(400, '动态验证码或恢复码不正确'),
  totp_locked: row(429, '动态验证码错误次数过多，请 {minutes} 分钟后再试'),
  totp_enabled: row(409, '已绑定动态验证码，请先解除'),
  totp_kept: row(409, '公司要求使用动态验证码，不能解除'),
  quick_login_invalid: row(400, '快捷登录链接无效或已过期'),
  insecure_transport: row(403, '当前连接没有加密，请改用 https 访问', '错误'),

  agents_missing: row(404, '未获取到加盟商信息'),
  agents_empty: row(404, '没有可选加盟商列表'),
  areas_missing: row(404, '未获取到服务区信息'),
  areas_empty: row(404, '没有可选服务区列表'),
} as const satisfies Record<string, ErrorRow>

export type CoreErrorCode = keyof typeof coreErrors

/** The text of an error without placeholders. */
export const coreErrorText = (code: CoreErrorCode): string => coreErrors[code].promot

/** Fills the `{}`-placeholders of a text; an unfilled one disappears. */
export function fillText(text: string, values: Readonly<Record<string, string | number>>): string {
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''))
}
