import type { CommandKind } from '@saddle/contract/fleet/commands.ts'
import { t } from '#kit/i18n/index.ts'

/** What a command does to a vehicle that is online and not ridden, before it is given. */
export function effectOf(kind: CommandKind): string {
  switch (kind) {
    case 'unlock':
      return t('车锁将打开，任何人都可以推走这辆车')
    case 'lock':
      return t('车锁将关闭，车辆无法骑走')
    case 'ring':
      return t('车辆会响铃，便于在附近找到它')
    case 'locate':
      return t('车辆会立即上报一次位置')
    case 'ask_version':
      return t('设备会报告一次固件版本')
    case 'open_battery':
      return t('电池仓将打开，电池可以被取走')
    case 'restart':
      return t('设备会重启，约一分钟内不应答')
    case 'power_off':
      return t('车辆将断电，之后需要到现场恢复')
    case 'set_parameters':
      return t('没有填写的参数保持不变')
  }
}
