import { topic } from '#kit/bus.ts'

/** Bus topics of production, each published after the commit. */
export const productionTopics = {
  /** The vehicle's upgrade may begin or go on: whoever holds its line sends it. */
  upgradeDue: topic<{ readonly vehicleId: number }>('upgrade.due'),
  /** The vehicle's upgrade ended or may not go on: nothing more is sent. */
  upgradeHeld: topic<{ readonly vehicleId: number }>('upgrade.held'),
} as const
