export { VehicleUnit } from './units/UnitFacts.tsx'
export { VehicleUpgrades } from './upgrades/VehicleUpgrades.tsx'
