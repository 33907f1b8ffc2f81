import { topic } from '#kit/bus.ts'

/** A gateway has taken over the connection of a device. */
export const deviceConnected = topic<{ readonly gatewayId: string; readonly vehicleId: number }>('device.connected')

/** Asks the gateway that has a vehicle's connection whether it is alive. */
export const contestQuestion = topic<{
  readonly questionId: string
  readonly gatewayId: string
  readonly vehicleId: number
}>('device.contestQuestion')

export const contestAnswer = topic<{ readonly questionId: string; readonly isAlive: boolean }>('device.contestAnswer')

/** Two networks claim a vehicle: the gateway that has its connection raises the alarm. */
export const contestAlarm = topic<{ readonly gatewayId: string; readonly vehicleId: number }>('device.contestAlarm')
