export interface Place {
  readonly agentId: number
  readonly areaId?: number
}
