{{- define "relay.podSecurity" -}}
runAsNonRoot: true
runAsUser: 1000
runAsGroup: 1000
fsGroup: 1000
fsGroupChangePolicy: OnRootMismatch
seccompProfile:
  type: RuntimeDefault
{{- end -}}

{{- define "relay.containerSecurity" -}}
allowPrivilegeEscalation: false
readOnlyRootFilesystem: true
capabilities:
  drop: [ALL]
{{- end -}}

{{- define "relay.probe" -}}
httpGet:
  path: {{ . }}
  port: http
{{- end -}}

{{/* The pod of the Deployment and of the StatefulSet. */}}
{{- define "relay.pod" -}}
{{- $needed := add .Values.drain.leaveSeconds 40 }}
{{- if lt (int .Values.drain.seconds) (int $needed) }}
{{- fail (printf "drain.seconds must be at least %d: drain.leaveSeconds, and the 40 s in which running requests end" $needed) }}
{{- end }}
metadata:
  labels:
    {{- include "relay.selector" . | nindent 4 }}
    {{- with .Values.podLabels }}
    {{- toYaml . | nindent 4 }}
    {{- end }}
  {{- with .Values.podAnnotations }}
  annotations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
spec:
  serviceAccountName: {{ include "relay.name" . }}
  automountServiceAccountToken: false
  enableServiceLinks: false
  terminationGracePeriodSeconds: {{ .Values.drain.seconds }}
  {{- with .Values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.priorityClassName }}
  priorityClassName: {{ . }}
  {{- end }}
  securityContext:
    {{- include "relay.podSecurity" . | nindent 4 }}
  containers:
    - name: relay
      image: {{ include "relay.image" . }}
      imagePullPolicy: {{ .Values.image.pullPolicy }}
      ports:
        - name: http
          containerPort: 3000
      env:
        {{- include "relay.environment" . | nindent 8 }}
      startupProbe:
        {{- include "relay.probe" "/healthz" | nindent 8 }}
        periodSeconds: 2
        timeoutSeconds: 3
        failureThreshold: 60
      livenessProbe:
        {{- include "relay.probe" "/healthz" | nindent 8 }}
        periodSeconds: 10
        timeoutSeconds: 3
        failureThreshold: 3
      readinessProbe:
        {{- include "relay.probe" "/readyz" | nindent 8 }}
        periodSeconds: 5
        timeoutSeconds: 3
        failureThreshold: 2
      lifecycle:
        # Until every proxy has noticed that the pod leaves, it takes requests.
        preStop:
          exec:
            command: [sleep, {{ .Values.drain.leaveSeconds | quote }}]
      resources:
        {{- toYaml .Values.resources | nindent 8 }}
      securityContext:
        {{- include "relay.containerSecurity" . | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
        - name: pages-cache
          mountPath: /app/.next/cache
  volumes:
    - name: tmp
      emptyDir:
        sizeLimit: 1Gi
    - name: pages-cache
      emptyDir:
        sizeLimit: 1Gi
    {{- if not .Values.persistence.enabled }}
    - name: data
      emptyDir: {}
    {{- end }}
  topologySpreadConstraints:
    - maxSkew: 1
      topologyKey: kubernetes.io/hostname
      whenUnsatisfiable: ScheduleAnyway
      labelSelector:
        matchLabels:
          {{- include "relay.selector" . | nindent 10 }}
  {{- with .Values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with .Values.affinity }}
  affinity:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}

{{/* The pod of a Job that works as the owner of the tables: of the chart as root, with a name, args, env as text, resources, and the size of its scratch folder. */}}
{{- define "relay.ownerPod" -}}
{{- $values := .root.Values -}}
metadata:
  labels:
    app.kubernetes.io/name: {{ .root.Chart.Name }}
    app.kubernetes.io/instance: {{ .root.Release.Name }}
    app.kubernetes.io/component: {{ .name }}
spec:
  restartPolicy: Never
  automountServiceAccountToken: false
  enableServiceLinks: false
  {{- with $values.imagePullSecrets }}
  imagePullSecrets:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  securityContext:
    {{- include "relay.podSecurity" . | nindent 4 }}
  containers:
    - name: {{ .name }}
      image: {{ include "relay.image" .root }}
      imagePullPolicy: {{ $values.image.pullPolicy }}
      args: {{ toJson (concat (list "node" "dist/relay.mjs") .words) }}
      env:
        {{- .env | nindent 8 }}
        - name: DATABASE_OWNER_URL
          valueFrom:
            secretKeyRef:
              name: {{ $values.migration.ownerSecret }}
              key: DATABASE_OWNER_URL
      resources:
        {{- toYaml .resources | nindent 8 }}
      securityContext:
        {{- include "relay.containerSecurity" . | nindent 8 }}
      volumeMounts:
        - name: data
          mountPath: /data
        - name: tmp
          mountPath: /tmp
  volumes:
    - name: data
      emptyDir:
        sizeLimit: 64Mi
    - name: tmp
      emptyDir:
        sizeLimit: {{ .scratch }}
  {{- with $values.nodeSelector }}
  nodeSelector:
    {{- toYaml . | nindent 4 }}
  {{- end }}
  {{- with $values.tolerations }}
  tolerations:
    {{- toYaml . | nindent 4 }}
  {{- end }}
{{- end -}}
