/** What an audit line about production says, in words. */

export const productionActionTitles = {
  'artefact.upload': '上传固件或语音包',
  'artefact.on': '启用固件或语音包',
  'artefact.off': '停用固件或语音包',
  'artefact.export': '导出固件与语音包',
  'upgrade.create': '新增升级活动',
  'upgrade.start': '开始升级活动',
  'upgrade.resume': '继续升级活动',
  'upgrade.pause': '暂停升级活动',
  'upgrade.stop': '中止升级活动',
  'upgrade.roll_back': '回退升级活动',
  'upgrade.export': '导出升级活动',
} as const

export const productionSubjectTitles = {
  artefact: '固件或语音包',
  upgrade_campaign: '升级活动',
} as const

export const productionFieldTitles = {
  artefactId: '固件或语音包编号',
  signer: '签名密钥',
  total: '车辆',
} as const
