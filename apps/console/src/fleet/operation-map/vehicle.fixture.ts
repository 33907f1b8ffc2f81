import type { Command } from '@saddle/contract/fleet/commands.ts'
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
    operatorName: '林岚',
    failure: null,
    queuedAt: 1_000,
    sentAt: null,
    acknowledgedAt: null,
    finishedAt: null,
    ...parts,
  }
}
