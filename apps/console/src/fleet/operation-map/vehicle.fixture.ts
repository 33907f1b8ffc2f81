import type { Command } from '@saddle/contract/fleet/commands.ts'
import type { Vehicle } from '@saddle/contract/fleet/vehicles.ts'
import type { LiveVehicle } from '@saddle/contract/telemetry/live.ts'

/** A parked, healthy vehicle; tests change what they are about. */
export function liveVehicle(parts: Partial<LiveVehicle> = {}): LiveVehicle {
  return {
    id: 1,
    lat: 31.3,
    lng: 120.7,
    batteryPercent: 80,
    state: 'available',
    locked: true,
    lowBattery: false,
    alarm: false,
    worst: null,
    offline: false,
    charging: false,
    headingDeg: null,
    ...parts,
  }
}

export function command(parts: Partial<Command> = {}): Command {
  return {
    id: 1,
    vehicleId: 1,
    kind: 'unlock',
    state: 'queued',
    reason: '',
    parameters: null,
    batchId: null,
    operatorName: '林岚',
    failure: null,
    queuedAt: 1_000,
    sentAt: null,
    acknowledgedAt: null,
    finishedAt: null,
    ...parts,
  }
}

export function vehicleDetail(parts: Partial<Vehicle> = {}): Vehicle {
  return {
    id: 1,
    number: 'SD100001',
    imei: '867584031000016',
    model: 'SD-E2',
    protocol: 'omni',
    agentId: 3,
    company: '青禾出行',
    areaId: 1,
    areaName: '古城区',
    state: 'available',
    online: true,
    locked: true,
    charging: false,
    batteryPercent: 80,
    lowBatteryBelow: 20,
    voltageV: 38.4,
    signal: 22,
    position: { lat: 31.3, lng: 120.7, speedKmh: 0, headingDeg: null, at: 1_000 },
    heardAt: 1_000,
    openAlarms: [],
    firmware: 'V1.4.2',
    odometerM: 128_000,
    idleSince: 1_000,
    openTasks: [],
    ...parts,
  }
}
