{{- /* Servers of others have users of their own. */}}
{{- define "switchyard.bundledPodSecurity" -}}
securityContext:
  runAsNonRoot: true
  runAsUser: {{ . }}
  fsGroup: {{ . }}
  seccompProfile:
    type: RuntimeDefault
{{- end }}

{{- define "switchyard.bundledSecurity" -}}
securityContext:
  allowPrivilegeEscalation: false
  readOnlyRootFilesystem: true
  runAsNonRoot: true
  capabilities:
    drop:
      - ALL
  seccompProfile:
    type: RuntimeDefault
{{- end }}

{{- define "switchyard.bundledStorage" -}}
- metadata:
    name: data
  spec:
    accessModes:
      - ReadWriteOnce
    resources:
      requests:
        storage: {{ .size | quote }}
    {{- with .className }}
    storageClassName: {{ . | quote }}
    {{- end }}
{{- end }}

{{- /* (list $ name ports). The Secrets hold these addresses: the names have no prefix. */}}
{{- define "switchyard.bundledService" -}}
{{- $root := index . 0 -}}
{{- $name := index . 1 -}}
apiVersion: v1
kind: Service
metadata:
  name: {{ $name }}
  namespace: {{ $root.Release.Namespace }}
  labels:
    {{- include "switchyard.partLabels" (list $root $name) | nindent 4 }}
spec:
  selector:
    {{- include "switchyard.selector" (list $root $name) | nindent 4 }}
  ports:
    {{- range $port, $number := index . 2 }}
    - name: {{ $port }}
      port: {{ $number }}
      targetPort: {{ $port }}
    {{- end }}
{{- end }}
