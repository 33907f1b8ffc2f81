/** Words of audit records about accounts with the bank and withdrawals. */
export const bankActionTitles = {
  'withdrawal.filed': '登记提现',
  'withdrawal.waiting': '提交提现待复核',
  'withdrawal.queued': '提交提现',
  'withdrawal.confirmed': '复核提现',
  'withdrawal.cancelled': '撤回或拒绝提现',
  'withdrawal.paid': '提现到账',
  'withdrawal.returned': '提现退回',
  'withdrawal.reversed': '提现到账后退汇',
  'withdrawal.conflict': '银行对提现给出矛盾的结果',
  'withdrawal.export': '导出提现记录',
  'withdrawal.lines_export': '导出提现的骑行明细',
  'withdrawal.terms': '变更提现条件',
  'withdrawal.stop': '暂停提现',
  'withdrawal.allow': '恢复提现',
  'account.draft': '填写开户资料',
  'account.paper': '上传开户材料',
  'account.submit': '提交开户申请',
  'account.opened': '开户成功',
  'account.refused': '开户被拒绝',
  'account.copy': '复制开户资料',
  'account.export': '导出账户',
  'account.sub_account': '新增子账户',
  'bank_card.add': '绑定银行卡',
  'bank_card.bound': '银行卡验证通过',
  'bank_card.wrong': '银行卡验证错误',
  'bank_card.unbind': '解绑银行卡',
} as const

export const bankSubjectTitles = {
  withdrawal: '提现',
  bank_card: '银行卡',
} as const
