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
  'vehicle_import.check': '上传车辆清单',
  'vehicle_import.commit': '导入车辆批次',
  'vehicle_import.undo': '撤销车辆批次',
  'vehicle_import.discard': '放弃车辆批次',
  'vehicle_import.export': '导出车辆批次',
  'unit.register': '扫码登记车辆',
  'unit.update': '更正车辆标识',
  'unit.deliver': '交付车辆',
  'unit.deploy': '投放车辆',
  'unit.retire': '退役车辆',
  'unit.export': '导出生产车辆',
} as const

export const productionSubjectTitles = {
  artefact: '固件或语音包',
  upgrade_campaign: '升级活动',
  vehicle_import: '车辆批次',
} as const

export const productionFieldTitles = {
  artefactId: '固件或语音包编号',
  signer: '签名密钥',
  total: '车辆',
  bad: '不能导入的行',
  made: '导入车辆',
  stage: '生产状态',
  serial: 'SN',
  mac: 'MAC',
  iccid: 'ICCID',
} as const
