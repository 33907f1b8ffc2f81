import { topic } from '#kit/bus.ts'

/** A gateway has taken over the connection of a device. */
export const deviceConnected = topic<{ readonly gatewayId: string; readonly vehicleId: number }>('device.connected')
