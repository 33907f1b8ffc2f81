export { exportColumns } from './jobs/columns.tsx'
