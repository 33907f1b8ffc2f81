export { VehicleUpgrades } from './upgrades/VehicleUpgrades.tsx'
